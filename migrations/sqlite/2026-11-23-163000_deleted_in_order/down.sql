DROP INDEX blocks_deleted_in_order;

DROP TABLE block_references;
DROP TABLE page_histories;
DROP TABLE page_versions;
DROP TABLE block_states;
DROP TABLE blocks;

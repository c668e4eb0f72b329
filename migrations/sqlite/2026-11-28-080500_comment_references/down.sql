DROP TABLE comment_references;

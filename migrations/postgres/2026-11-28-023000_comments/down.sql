DROP TABLE comment_reactions;
DROP TABLE comment_replies;
DROP TABLE comments;

DROP TABLE invitations_by_email;
DROP TABLE invitation_tokens;
DROP TABLE invitations;

DELETE FROM directory WHERE kind = 'api_key';
DROP TABLE api_key_secrets;
DROP TABLE api_keys;

-- What was taken is not known any more, so this changes nothing.
UPDATE oauth_families SET scopes = scopes WHERE FALSE;

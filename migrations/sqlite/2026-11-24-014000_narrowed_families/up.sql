-- Takes from token families what was taken from their grants before. They would get it back when a grant becomes wider again. From now on both lose it at once.
-- All ids have the same length, so none is a part of another.
UPDATE oauth_families AS f
SET scopes = f.scopes & g.scopes,
    workspaces = coalesce(
        (SELECT group_concat(value, ' ') FROM json_each('["' || replace(f.workspaces, ' ', '","') || '"]') WHERE instr(g.workspaces, value) > 0), '')
FROM oauth_grants AS g
WHERE g.user_id = f.user_id AND g.id = f.grant_id AND ((f.scopes & g.scopes) <> f.scopes OR f.workspaces <> g.workspaces);

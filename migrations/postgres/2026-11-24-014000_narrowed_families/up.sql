-- Takes from token families what was taken from their grants before. They would get it back when a grant becomes wider again. From now on both lose it at once.
UPDATE oauth_families AS f
SET scopes = f.scopes & g.scopes,
    workspaces = coalesce(
        (SELECT string_agg(w.id, ' ' ORDER BY w.id) FROM unnest(string_to_array(f.workspaces, ' ')) AS w (id) WHERE w.id = ANY (string_to_array(g.workspaces, ' '))), '')
FROM oauth_grants AS g
WHERE g.user_id = f.user_id AND g.id = f.grant_id AND ((f.scopes & g.scopes) <> f.scopes OR f.workspaces <> g.workspaces);

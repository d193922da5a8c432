-- Of which origins pages may call the API: those to which a public app that stands sends people back.
create function oauth_page_origins() returns table (origin text)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct lower(substring(uri from '^https?://[^/?#]+'))
  from oauth_apps a cross join unnest(a.redirect_uris) uri
  where a.kind = 'public' and a.status = 'active' and a.deleted_at is null and uri ~ '^https?://'
$$;

select give_to_engine('oauth_page_origins');

-- Access tokens that act as an API key name it by its id: what a principal needs, as auth_api_key gives it by the hash.
create function auth_api_key_by_id(api_key text)
returns table (organization_id bigint, tenant_id bigint, mode text, key_id text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, user_id bigint, email text, role text, disabled boolean,
  time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.organization_id, k.tenant_id, k.mode, k.id, k.scopes, k.expires_at,
         k.revoked_at, u.id, u.email, u.role, u.disabled_at is not null,
         o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering
  from api_keys k
  join users u on u.organization_id = k.organization_id and u.id = k.user_id
  join organizations o on o.id = k.organization_id
  where k.id = api_key
$$;

grant create on schema public to tandem_engine;
alter function auth_api_key_by_id(text) owner to tandem_engine;
revoke all on function auth_api_key_by_id(text) from public;
grant execute on function auth_api_key_by_id(text) to tandem_app;
revoke create on schema public from tandem_engine;

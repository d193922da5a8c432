-- Far sides that nobody has told of the end: calls that are over and still stored, of whatever tenant, the longest over first. One
-- question for all of them; what is stored is what is under way now.
-- Its new owner must be allowed to create here for the handover (as in 0004).
grant create on schema public to tandem_engine;

create function forgotten_calls(over_seconds double precision, held text[], max_rows integer)
returns table (tenant_id bigint, organization_id bigint, call_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.tenant_id, t.organization_id, s.call_id
  from sip_calls s
  join calls c on c.tenant_id = s.tenant_id and c.id = s.call_id
  join tenants t on t.id = s.tenant_id
  where c.ended_at < now() - make_interval(secs => over_seconds) and s.call_id <> all (held)
  order by c.ended_at
  limit max_rows
$$;

alter function forgotten_calls(double precision, text[], integer) owner to tandem_engine;
revoke all on function forgotten_calls(double precision, text[], integer) from public;
grant execute on function forgotten_calls(double precision, text[], integer) to tandem_app;

revoke create on schema public from tandem_engine;

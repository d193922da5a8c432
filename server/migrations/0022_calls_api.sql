-- What calls leave behind goes after a while; calls by their trunk; and simulated calls whose time is compressed.

-- SIP messages are written in the order of time, so that a block knows from when it is.
create index call_traces_at on call_traces using brin (at) with (pages_per_range = 32, autosummarize = on);
select open_to_engine('call_traces', 'select, delete');
select open_to_engine('sip_calls', 'select, delete');
select open_to_engine('call_commands', 'select, delete');
grant delete on call_jobs, call_leases to tandem_engine;

create index calls_by_trunk on calls (tenant_id, trunk_id, created_at, id) where trunk_id is not null;

-- Its simulated far sides act, and its instructions wait, ten times as fast.
alter table calls add column fast_clock boolean not null default false;

grant create on schema public to tandem_engine;

-- Deletes SIP messages of calls that ended `keep_days` ago, and what a process that died could not take away of calls that
-- ended a day ago: nobody could do anything with it. Calls under way, however long they last, are left alone. Answers how many rows went.
create function purge_calls(keep_days integer, max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  told_before timestamptz := now() - make_interval(days => keep_days);
  ended_before timestamptz := now() - interval '1 day';
  stray text;
  gone integer;
  total integer := 0;
begin
  delete from call_traces where ctid = any (array(
    select x.ctid from call_traces x join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
    where x.at < told_before and c.ended_at < told_before limit max_rows));
  get diagnostics total = row_count;
  foreach stray in array array['sip_calls', 'call_commands', 'call_jobs', 'call_leases'] loop
    execute format('delete from %1$I where ctid = any (array(
      select x.ctid from %1$I x join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
      where c.ended_at < $1 limit $2))', stray) using ended_before, max_rows - total;
    get diagnostics gone = row_count;
    total := total + gone;
  end loop;
  return total;
end $$;
alter function purge_calls owner to tandem_engine;
revoke all on function purge_calls from public;
grant execute on function purge_calls to tandem_app;
revoke create on schema public from tandem_engine;

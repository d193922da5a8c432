-- Roles, the rules of tenancy, and what the modules share: secrets of the installation, idempotency, events, text of searches.
--
-- tandem_app     serves requests; owns nothing, bypasses nothing, sees only the tenant its transaction names
-- tandem_engine  owns the few security-definer functions that must cross tenants, and has policies on just their tables
-- tandem_jobs    owns the schema of the cold-job queue and nothing else
--
-- Roles belong to the whole server: another database on it may have made them. A superuser needs no membership, and an owner
-- who may act as them already need not be allowed to grant them (release 16 distinguishes these rights).
do $$
declare
  acting text := case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end;
  role_name text;
begin
  foreach role_name in array array['tandem_app', 'tandem_engine', 'tandem_jobs'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I %s nosuperuser nobypassrls nocreatedb nocreaterole noinherit', role_name,
        case role_name when 'tandem_engine' then 'nologin' else 'login' end);
    end if;
    continue when pg_has_role(current_user, role_name, acting);
    begin
      execute format('grant %I to %I', role_name, current_user);
    exception when insufficient_privilege then
      raise insufficient_privilege using
        message = format('the role %s exists already, and %s may not act as it', role_name, current_user),
        hint = format('Let a superuser run: grant tandem_app, tandem_engine, tandem_jobs to %I; then start again.',
          current_user);
    end;
  end loop;
end $$;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;

create schema tandem_jobs authorization tandem_jobs;
grant usage on schema public to tandem_engine, tandem_app;

-- What erases a closed organization (erase_organization) names in a setting what it erases, and sees nothing else. Writing is for the
-- triggers that count what goes.
create function open_to_erasure(target regclass, key name, setting text) returns void language plpgsql as $$
begin
  execute format(
    'create policy erasure on %s for all to tandem_engine
       using (%I = (select nullif(current_setting(%L, true), '''')::bigint))
       with check (%I = (select nullif(current_setting(%L, true), '''')::bigint))', target, key, setting, key, setting);
  execute format('grant select, insert, update, delete on %s to tandem_engine', target);
end $$;

-- Closes a table of tenant rows: forced row-level security, the application sees the tenant of its transaction only.
-- The setting has no default on purpose: without a tenant the query fails loudly instead of returning nothing.
create function protect_tenant_table(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant_isolation on %s for all to tandem_app
       using (tenant_id = (select current_setting(''app.tenant_id'')::bigint))
       with check (tenant_id = (select current_setting(''app.tenant_id'')::bigint))', target);
  perform open_to_erasure(target, 'tenant_id', 'app.erased_tenant');
end $$;

-- The same for rows that belong to an organization (both its tenants): users, keys, sessions.
create function protect_organization_table(target regclass, key name default 'organization_id') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy organization_isolation on %s for all to tandem_app
       using (%I = (select current_setting(''app.organization_id'')::bigint))
       with check (%I = (select current_setting(''app.organization_id'')::bigint))', target, key, key);
  perform open_to_erasure(target, key, 'app.erased_organization');
end $$;

-- The same for what is a person's own, whatever organizations they are members of: account, factors, recovery codes.
create function protect_account_table(target regclass, key name default 'account_id') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy account_isolation on %s for all to tandem_app
       using (%I = (select current_setting(''app.account_id'')::bigint))
       with check (%I = (select current_setting(''app.account_id'')::bigint))', target, key, key);
  perform open_to_erasure(target, key, 'app.erased_account');
end $$;

-- Lets the engine role cross tenants on one table.
create function open_to_engine(target regclass, rights text) returns void language plpgsql as $$
begin
  execute format('create policy engine_access on %s for all to tandem_engine using (true) with check (true)', target);
  execute format('grant %s on %s to tandem_engine', rights, target);
end $$;

-- Gives functions to the engine role: the application may call them and nobody else. Functions of triggers, which nobody calls, are
-- given away after their triggers are made. The new owner must be allowed to create in the schema while it takes them over.
create function give_to_engine(variadic function_names text[]) returns void language plpgsql as $$
declare
  signature regprocedure;
begin
  grant create on schema public to tandem_engine;
  foreach signature in array function_names::regproc[]::regprocedure[] loop
    execute format('alter function %s owner to tandem_engine', signature);
    execute format('revoke all on function %s from public', signature);
    if (select prorettype <> 'trigger'::regtype from pg_proc where oid = signature) then
      execute format('grant execute on function %s to tandem_app', signature);
    end if;
  end loop;
  revoke create on schema public from tandem_engine;
end $$;

-- For functions that only functions of the engine call, and which run with their rights.
create function restrict_to_engine(variadic function_names text[]) returns void language plpgsql as $$
declare
  signature regprocedure;
begin
  foreach signature in array function_names::regproc[]::regprocedure[] loop
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to tandem_engine', signature);
  end loop;
end $$;

-- Keys and peppers of this installation. Only the owner reads them, once, at start.
create table instance_secrets (
  name       text primary key,
  value      bytea not null,
  created_at timestamptz not null default now()
);

-- Requests by their Idempotency-Key, with the reply once there is one.
create table idempotency_keys (
  tenant_id   bigint not null,
  key         text collate "C" not null,
  fingerprint bytea not null,
  status      integer,
  body        text,
  version     integer,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);
select protect_tenant_table('idempotency_keys');
select open_to_engine('idempotency_keys', 'select, insert, update, delete');
grant select, insert, update on idempotency_keys to tandem_app;

-- What happened, written in the transaction that did it. The outbox of webhooks, and the history of each resource: `sequence` counts
-- the events of one.
create table events (
  tenant_id    bigint not null,
  id           text collate "C" not null,
  type         text collate "C" not null,
  resource_id  text collate "C" not null,
  sequence     integer not null,
  at           timestamptz not null default clock_timestamp(),
  data         json not null,
  -- Which transaction wrote the row. With a snapshot of an earlier reading this says exactly what that reading could not see, however
  -- late and out of order rows commit. The system column xmin would not do: it has 32 bits, and inside a savepoint it names a
  -- subtransaction, which snapshots do not know.
  written_in   xid8 default pg_current_xact_id(),
  -- The resource's own callbackUrl, which hears of this event beside the endpoints.
  callback_url text collate "C",
  primary key (tenant_id, id)
);
create index events_resource on events (tenant_id, resource_id, sequence);
select protect_tenant_table('events');
select open_to_engine('events', 'select, insert');
grant update (data) on events to tandem_engine;
grant select, insert on events to tandem_app;

-- The smallest id an instant can have, as kernel/values/ids.ts makes them.
create function first_id_at(prefix text, at timestamptz) returns text
language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', ((t.ms >> (5 * (9 - n))) & 31)::integer + 1, 1), '' order by n)
    || repeat('0', 16)
  from (select greatest(0, floor(extract(epoch from at) * 1000))::bigint as ms) as t, generate_series(0, 9) as n
$$;

-- Which job takes what waits, by its place (from 1) among what waits together. A job is claimed and finished as one: no larger than one
-- claim.
create function job_of(place bigint) returns bigint language sql immutable parallel safe return (place - 1) / 64;

-- Text as a search compares it, where it is not ASCII alone: composed, without accents, and with a blank in front of each letter of
-- scripts that write words without blanks between them, so that each begins a word. Immutable as long as nobody edits the rules file.
create function fold_wide(text) returns text
language sql immutable strict parallel safe
return regexp_replace(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFKC)),
  '([\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd])', ' \1', 'g');

-- With the other usual spelling of a German name beside it: Mueller for Müller.
create function german_spelling(text) returns text
language sql immutable strict parallel safe
return case when normalize($1, NFC) ~ '[äöüÄÖÜ]' then ' ' || replace(replace(replace(replace(replace(replace(
  normalize($1, NFC), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'Ä', 'Ae'), 'Ö', 'Oe'), 'Ü', 'Ue') else '' end;

-- The words of a search, in the form of the text that is searched.
create function fold_search(text) returns text
language sql immutable strict parallel safe
return case when octet_length($1) = length($1) then $1 else fold_wide($1) end;

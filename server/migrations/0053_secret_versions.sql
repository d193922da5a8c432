-- Secrets of the installation in several versions, sealed with a key that lies outside the database; hashes say with which pepper they were
-- made, so that one can take the place of the other.

-- Rows are named after what they are: `pepper` and `signing_key`, where there was one version of each; `pepper.2` and so on since.
alter table instance_secrets
  add column version integer not null default 1,
  add column state text not null default 'active' check (state in ('next', 'active', 'retiring', 'retired')),
  -- The fingerprint of the root key that seals the value; null where it lies there in plain.
  add column sealed_by text,
  -- When it became active, and when it goes on to its next state: becomes active, or ends.
  add column active_at timestamptz,
  add column due_at timestamptz;

alter table revocations
  drop constraint revocations_kind_check,
  add constraint revocations_kind_check
    check (kind in ('session', 'user', 'key', 'organization', 'account', 'oauth', 'secrets'));

alter table api_keys add column pepper_version integer not null default 1;
alter table oauth_app_secrets add column pepper_version integer not null default 1;
alter table recovery_codes add column pepper_version integer not null default 1;

-- A key or secret that was just shown is kept under the pepper in use from now on; never back, by a process that has not heard of it yet.
create function rehash_api_key(former bytea, rehashed bytea, version integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  update api_keys k set hash = rehashed, pepper_version = version where k.hash = former and k.pepper_version < version
$$;
create function oauth_rehash_secret(former bytea, rehashed bytea, version integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  update oauth_app_secrets s set hash = rehashed, pepper_version = version, last_used_at = clock_timestamp() where s.hash = former and s.pepper_version < version
$$;
select give_to_engine('rehash_api_key', 'oauth_rehash_secret');

-- Texts are sealed again, in all tables that have any, when the sealing key is rotated.
do $$
declare
  sealed text;
begin
  foreach sealed in array array['mail_transports', 'mail_domains', 'number_voice'] loop
    execute format('create policy engine_access on %I for all to tandem_engine using (true) with check (true)', sealed);
  end loop;
end $$;

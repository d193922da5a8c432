-- Phones of an organization: the names and passwords they register with, and where those that are registered are reached.

create table sip_credentials (
  tenant_id    bigint not null references tenants (id),
  id           text collate "C" not null,
  username     text collate "C" not null check (username ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  -- Sealed JSON of the digests that prove the password; never the password.
  digests      text not null,
  display_name text check (length(display_name) between 1 and 64),
  caller_id    text,
  callback_url text,
  -- A list, or a sealed text where it holds secrets.
  instructions json,
  version      integer not null default 1,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  constraint sip_credentials_username unique (tenant_id, username)
);
select protect_tenant_table('sip_credentials');
select open_to_engine('sip_credentials', 'select');
grant select, insert, update, delete on sip_credentials to tandem_app;

-- Where a phone is reached until it expires; written whole by each REGISTER.
create table sip_contacts (
  tenant_id     bigint not null,
  credential_id text collate "C" not null,
  position      integer not null,
  contact       text not null,
  path          text[] not null,
  source        text not null,
  call_id       text not null,
  cseq          bigint not null,
  q             real not null,
  instance      text,
  user_agent    text,
  registered_at timestamptz(3) not null,
  expires_at    timestamptz(3) not null,
  primary key (tenant_id, credential_id, position),
  foreign key (tenant_id, credential_id) references sip_credentials (tenant_id, id) on delete cascade
);
select protect_tenant_table('sip_contacts');
grant select, insert, update, delete on sip_contacts to tandem_app;

grant create on schema public to tandem_engine;

-- Whether phones may come at all: without a trunk and a phone no port is opened.
create function any_sip_credential() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from sip_credentials)
$$;

-- Whose a phone is, by what its user name says: the number of the organization and the mode.
create function tenant_of(organization bigint, tenant_mode text) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id from tenants t where t.organization_id = organization and t.mode = tenant_mode
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array['any_sip_credential()', 'tenant_of(bigint, text)'] loop
    execute 'alter function ' || signature || ' owner to tandem_engine';
    execute 'revoke all on function ' || signature || ' from public';
    execute 'grant execute on function ' || signature || ' to tandem_app';
  end loop;
end $$;
revoke create on schema public from tandem_engine;

-- How many codes that prove numbers an organization asked for: for one number, and for all together (`organization`). Apart from
-- the numbers: who removes one and adds it again has no more tries to guess a code, nor texts and calls at the operator's cost.
create table number_code_requests (
  tenant_id      bigint not null references tenants (id),
  subject        text collate "C" not null,
  requests       integer not null,
  -- Counted for a day.
  requests_since timestamptz not null,
  primary key (tenant_id, subject)
);
select protect_tenant_table('number_code_requests');
grant select, insert, update, delete on number_code_requests to tandem_app;

-- The counts of the day begin anew.
alter table number_verifications drop column requests, drop column requests_since;

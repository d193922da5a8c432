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

insert into number_code_requests (tenant_id, subject, requests, requests_since)
select v.tenant_id, n.address, v.requests, v.requests_since
from number_verifications v join numbers n on n.tenant_id = v.tenant_id and n.id = v.number_id;

alter table number_verifications drop column requests, drop column requests_since;

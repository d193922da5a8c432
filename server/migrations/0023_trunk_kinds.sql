-- Trunks of more than one kind: those that speak SIP, and an Asterisk that is steered over ARI.
alter table trunks add column kind text collate "C" not null default 'sip' check (kind in ('sip', 'asterisk'));

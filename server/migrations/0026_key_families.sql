-- Which key made a key: whoever holds the first knows the secret of the second, so ending the one ends the other.
alter table api_keys add column parent_id text collate "C";
alter table api_keys add constraint api_keys_parent
  foreign key (organization_id, parent_id) references api_keys (organization_id, id);
create index api_keys_children on api_keys (organization_id, parent_id) where parent_id is not null;
create index api_keys_user on api_keys (organization_id, user_id);

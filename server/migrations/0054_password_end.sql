-- A password that the server or an Admin made for somebody ends after seven days, while its person has not replaced it.

alter table accounts
  -- Until when the password logs in; null of one that its person chose.
  add column password_ends_at timestamptz;

-- By whatever way a password is set: one that somebody else set ends, one of the person's own does not.
create function end_initial_password() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and new.password_changed_at is not distinct from old.password_changed_at
    and new.password_is_temporary = old.password_is_temporary then return new; end if;
  new.password_ends_at := case when new.password_is_temporary then coalesce(new.password_changed_at, now()) + interval '7 days' end;
  return new;
end $$;
create trigger end_initial_password before insert or update of password_changed_at, password_is_temporary on accounts
  for each row execute function end_initial_password();

-- Those that stand at an upgrade have seven days from then on.
update accounts set password_ends_at = now() + interval '7 days' where password_is_temporary;

-- The passwords of an organization's people that will end, or did.
create function member_password_ends(organization bigint) returns table (user_id bigint, ends_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, a.password_ends_at from users u join accounts a on a.id = u.account_id
  where u.organization_id = organization and a.password_ends_at is not null
$$;
select give_to_engine('member_password_ends');

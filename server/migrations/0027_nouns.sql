-- What all nouns share: exact counts, what records are the same by, and the history of their fields; and what makes a table one of a noun.

-- Loads the library: only then may a function below set its thresholds.
do $$ begin perform show_limit(); end $$;

-- How many records there are of each kind, changed by triggers in the transaction of every write, so that a total is a sum over a few
-- rows. `owner` is 0 for records without an owner and -1 for all together; a, b and c are the facets of the noun, in its order.
-- Transactions that run at the same time write into different lanes: nobody waits for anybody's commit, and one lane may be below zero.
create table noun_counts (
  tenant_id bigint not null,
  noun      text collate "C" not null,
  owner     bigint not null,
  deleted   boolean not null,
  a         text collate "C" not null,
  b         text collate "C" not null,
  c         text collate "C" not null,
  lane      smallint not null,
  count     bigint not null,
  primary key (tenant_id, noun, owner, deleted, a, b, c, lane)
) with (fillfactor = 50);
select protect_tenant_table('noun_counts');
select open_to_engine('noun_counts', 'select, insert, update');
grant select, insert, update on noun_counts to tandem_app;

-- What a record is the same as others by, in one spelling: an e-mail in small letters, a number as E.164. Records in the trash have none.
create table record_keys (
  tenant_id bigint not null,
  noun      text collate "C" not null,
  field     text collate "C" not null,
  value     text collate "C" not null check (length(value) between 1 and 500),
  record_id text collate "C" not null,
  primary key (tenant_id, record_id, field, value)
);
create index record_keys_value on record_keys (tenant_id, value, field, record_id);
select protect_tenant_table('record_keys');
grant select, insert, delete on record_keys to tandem_app;

-- What changed when and by whom: of each field the value before and after. The first version of a record is its creation. `user_id` is
-- null where the server changed it by itself: what a field named was removed for good.
create table changes (
  tenant_id  bigint not null,
  record_id  text collate "C" not null,
  version    integer not null,
  noun       text collate "C" not null,
  at         timestamptz(3) not null,
  user_id    bigint check (user_id is not null or source in ('purge', 'inbound')),
  key_id     text collate "C",
  source     text collate "C" not null check (source in ('request', 'bulk', 'merge', 'import', 'revert', 'purge', 'inbound', 'hand_over')),
  batch_id   text collate "C",
  difference json not null,
  primary key (tenant_id, record_id, version)
);
create index changes_batch on changes (tenant_id, batch_id, record_id) where batch_id is not null;
select protect_tenant_table('changes');
grant select, insert on changes to tandem_app;

-- What a search looks through: in small letters, since that is compared without more ado. The blank in front lets "begins a word" be asked
-- of the first word too. ASCII, which most of it is, costs no call.
create function noun_search_text(text) returns text
language sql immutable strict parallel safe
return lower(case when octet_length($1) = length($1) then ' ' || $1 else fold_wide(' ' || $1 || german_spelling($1)) end);

-- Words as such a text spells them.
create function search_words(words text[]) returns text[]
language sql immutable strict parallel safe
return array(select lower(fold_search(w.word)) from unnest(words) with ordinality as w (word, n) order by w.n);

-- The words of a text that people may misspell: what is between blanks, signs and digits. One may come several times.
create function words_of(text) returns setof text language sql immutable strict parallel safe as $$
  select w.word from regexp_split_to_table($1, '[[:space:][:punct:][:digit:]]+') as w (word)
  where length(w.word) between 3 and 40
$$;

-- The words that records hold, so that a misspelt one is looked for among some ten thousand words and not in a million records. Two
-- transactions that write a new word at the same time both add it: there is no unique key, which would make one wait for the other.
-- A word stays when its last record loses it: it is found, and then no record with it.
create table noun_words (
  tenant_id bigint not null,
  noun      text collate "C" not null,
  word      text collate "C" not null
);
create index noun_words_word on noun_words (tenant_id, noun, word);
create index noun_words_like on noun_words using gin (tenant_id, noun, word gin_trgm_ops) with (gin_pending_list_limit = 64);
select protect_tenant_table('noun_words');
select open_to_engine('noun_words', 'select');
grant select, insert on noun_words to tandem_app;

create function keep_noun_words() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into noun_words (tenant_id, noun, word)
    select distinct r.tenant_id, tg_argv[0], w.word from new_rows r cross join words_of(r.find) as w (word)
    where (select true from noun_words k where k.tenant_id = r.tenant_id and k.noun = tg_argv[0] and k.word = w.word limit 1) is null;
  else
    insert into noun_words (tenant_id, noun, word)
    select distinct r.tenant_id, tg_argv[0], w.word
    from new_rows r
    join old_rows o on o.tenant_id = r.tenant_id and o.id = r.id and o.find <> r.find
    cross join words_of(r.find) as w (word)
    where (select true from noun_words k where k.tenant_id = r.tenant_id and k.noun = tg_argv[0] and k.word = w.word limit 1) is null;
  end if;
  return null;
end $$;

-- How many letters two words differ in, at most three; two that changed places are one.
create function letters_apart(text, text) returns integer
language sql immutable strict parallel safe
return case when length($1) = length($2) and levenshtein_less_equal($1, $2, 3) = 2
    and array(select regexp_split_to_table($1, '') order by 1) = array(select regexp_split_to_table($2, '') order by 1)
  then 1 else levenshtein_less_equal($1, $2, 3) end;

-- For each part of misspelt words what may stand for it, of the words that the records of the noun in the transaction's tenant hold: those
-- one letter apart, or else two in a word of six letters and more, or else those with a part that is like it; the dozen that are most like
-- it. Digits stand for themselves; what is shorter than three is left out.
create function similar_words(of_noun text, misspelt text[]) returns table (instead text[])
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off
set plan_cache_mode = force_custom_plan set pg_trgm.similarity_threshold = 0.2 set pg_trgm.word_similarity_threshold = 0.5 as $$
declare
  here bigint := current_setting('app.tenant_id');
  part text;
begin
  for part in
    select p.found[1]
    from unnest(search_words(misspelt)) as m (word),
      regexp_matches(m.word, '[[:digit:]]{3,}|[^[:space:][:punct:][:digit:]]{3,}', 'g') as p (found)
  loop
    instead := array(
      with near as (
        select n.word, greatest(letters_apart(part, n.word), 1) as apart
        from (
          select distinct word from noun_words
          where tenant_id = here and noun = of_noun and word % part and abs(length(word) - length(part)) <= 2
        ) n
      )
      select n.word from near n
      where n.apart = (select min(apart) from near) and n.apart <= case when length(part) < 6 then 1 else 2 end
      order by similarity(part, n.word) desc, n.word
      limit 12);
    if part ~ '^[[:digit:]]' then
      instead := array[part];
    elsif cardinality(instead) = 0 then
      instead := array(
        select k.word
        from (select distinct word from noun_words where tenant_id = here and noun = of_noun and word %> part) k
        order by word_similarity(part, k.word) desc, similarity(part, k.word) desc, k.word
        limit 12);
    end if;
    return next;
  end loop;
end $$;
select give_to_engine('similar_words');

-- A lane that no other transaction holds. When all are taken any will do: then two wait for one another, and nothing is lost.
create function free_noun_lane() returns smallint language plpgsql as $$
begin
  for lane in 0..15 loop
    if pg_try_advisory_xact_lock(1852797294, lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 16;
end $$;

-- Makes a table that of a noun: policies and rights, counters of `facets` (at most three columns) and of the column `owner`, and the
-- function `find_<table>` that searches its column `find`. Called once, by the migration that creates the table.
create function make_noun(target name, noun text, facets name[], owner name default null) returns void language plpgsql as $make$
declare
  facet text[] := array(select format('coalesce(r.%I::text, '''')', f) from unnest(facets) f) || array['''''', '''''', ''''''];
  owned text := case when owner is null then '0' else format('coalesce(r.%I, 0)', owner) end;
  counted text := format($sql$
    insert into noun_counts as c (tenant_id, noun, owner, deleted, a, b, c, lane, count)
    select r.tenant_id, %L, o.owner, r.deleted_at is not null, %s, %s, %s, (select free_noun_lane()), sum(r.change)
    from (#source#) r
    cross join lateral (select -1 as owner union all select %s where %L) o
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(r.change) <> 0
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (tenant_id, noun, owner, deleted, a, b, c, lane) do update set count = c.count + excluded.count;
    return null;$sql$, noun, facet[1], facet[2], facet[3], owned, owner is not null);
  sources text[] := array['select *, 1 as change from new_rows',
    'select *, 1 as change from new_rows union all select *, -1 from old_rows', 'select *, -1 as change from old_rows'];
  moments text[] := array['insert', 'update', 'delete'];
  seen text[] := array['new table as new_rows', 'new table as new_rows old table as old_rows', 'old table as old_rows'];
  counter text;
begin
  perform protect_tenant_table(target::regclass);
  perform open_to_engine(target::regclass, 'select');
  execute format('grant select, insert, update, delete on %I to tandem_app', target);
  for n in 1..3 loop
    counter := format('count_%s_%s', target, moments[n]);
    execute format('create function %I() returns trigger language plpgsql as %L', counter,
      'begin' || replace(counted, '#source#', sources[n]) || ' end');
    execute format('create trigger %I after %s on %I referencing %s for each statement execute function %I()',
      format('%s_counted_%s', target, moments[n]), moments[n], target, seen[n], counter);
  end loop;
  execute format('create index %I on %I using gin (tenant_id, find gin_trgm_ops) with (gin_pending_list_limit = 512)',
    target || '_find', target);
  for n in 1..2 loop
    execute format('create trigger %I after %s on %I referencing %s for each statement execute function keep_noun_words(%L)',
      format('%s_words_%s', target, moments[n]), moments[n], target, seen[n], noun);
  end loop;
  -- Records of the transaction's tenant, in the trash or not, of these owners (null: of all), at most so many: those whose text is like
  -- each of `likes` and matches each of `expressions`. The index serves the first three of both, enough to leave few records.
  -- Each call is planned by itself, since a plan for any tenant and any word is a bad one for most. Only bitmaps: with a limit the
  -- planner would rather read records in some order until it has enough.
  execute format($find$
    create function %1$I(likes text[], expressions text[], in_trash boolean, owners bigint[], at_most bigint) returns setof %2$I
    language plpgsql stable security definer set search_path = public, pg_temp
    set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $body$
    declare
      held text := '';
    begin
      for n in 1..cardinality(likes) loop
        held := held || format(case when n > 3 then ' and (r.find || '''') like $1[%%s]' else ' and r.find like $1[%%s]' end, n);
      end loop;
      for n in 1..cardinality(expressions) loop
        held := held || format(case when n > 3 then ' and (r.find || '''') ~ $2[%%s]' else ' and r.find ~ $2[%%s]' end, n);
      end loop;
      return query execute
        'select r.* from %2$I r where r.tenant_id = $3 and (r.deleted_at is not null) = $4 and ($5 is null or %3$s = any ($5))'
          || held || ' limit $6'
        using likes, expressions, current_setting('app.tenant_id')::bigint, in_trash, owners, at_most;
    end $body$
  $find$, 'find_' || target, target, owned);
  perform give_to_engine('find_' || target);
end $make$;

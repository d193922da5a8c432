-- What creating records costs less.

-- As before, but words are taken out of all texts of a tenant at once, and each word is looked for once, however many of them hold it.
create or replace function keep_noun_words() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into noun_words (tenant_id, noun, word)
    select w.tenant_id, tg_argv[0], w.word
    from (
      select distinct t.tenant_id, w.word
      from (select r.tenant_id, string_agg(r.find, ' ') as texts from new_rows r group by r.tenant_id) t
      cross join words_of(t.texts) as w (word)
    ) w
    where (select true from noun_words k where k.tenant_id = w.tenant_id and k.noun = tg_argv[0] and k.word = w.word limit 1) is null;
  else
    insert into noun_words (tenant_id, noun, word)
    select w.tenant_id, tg_argv[0], w.word
    from (
      select distinct t.tenant_id, w.word
      from (
        select r.tenant_id, string_agg(r.find, ' ') as texts
        from new_rows r
        join old_rows o on o.tenant_id = r.tenant_id and o.id = r.id and o.find <> r.find
        group by r.tenant_id
      ) t
      cross join words_of(t.texts) as w (word)
    ) w
    where (select true from noun_words k where k.tenant_id = w.tenant_id and k.noun = tg_argv[0] and k.word = w.word limit 1) is null;
  end if;
  return null;
end $$;

-- Tries the partitioning of entries by the year of their event on a filled database of the benchmark, and compares queries
-- and the removal of a year: psql -d bench_events_1000000 -f bench/registries/partition-entries.sql
-- A trial beside the table `entries`, which stays as it is; docs/capacity.md has the result.
\timing on
\set ON_ERROR_STOP on
drop table if exists entries_by_year;

-- 1. The year is part of each key. A row moves to another partition if its event moves to another year.
create table entries_by_year (
	like entries including defaults including generated,
	event_year integer not null,
	primary key (id, event_year),
	unique (event_id, entry_number, event_year)
) partition by range (event_year);
select format('create table entries_%s partition of entries_by_year for values from (%s) to (%s)', y, y, y + 1)
from generate_series(2000, 2040) y \gexec

-- 2. The copy: in production year by year, the present one last, with a trigger that writes both tables meanwhile.
insert into entries_by_year
select entries.*, extract(year from events.start_date)::integer
from entries join events on events.id = entries.event_id;

-- 3. The indexes of the lists.
create index on entries_by_year (rider_member_id);
create index on entries_by_year (horse_id);
create index on entries_by_year (event_id, status);
create index on entries_by_year (created_at, id);
create index on entries_by_year (status, id);
create index on entries_by_year (horse_club_id);
create unique index on entries_by_year (event_id, horse_id, event_year)
	where status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED') and not is_additional;
vacuum analyze entries_by_year;

-- 4. The same queries of both tables, each twice: the second is warm.
select rider_member_id as rider, event_id as event from entries offset 100000 limit 1 \gset
select extract(year from now())::integer - 5 as year \gset
\echo own entries
select count(*) from entries where rider_member_id = :'rider';
select count(*) from entries where rider_member_id = :'rider';
select count(*) from entries_by_year where rider_member_id = :'rider';
select count(*) from entries_by_year where rider_member_id = :'rider';
\echo entries of an event, which does not know its year in our queries
select count(*) from entries where event_id = :'event';
select count(*) from entries where event_id = :'event';
select count(*) from entries_by_year where event_id = :'event';
select count(*) from entries_by_year where event_id = :'event';
\echo newest first
select max(id::text) from (select id from entries order by created_at desc, id desc limit 51) page;
select max(id::text) from (select id from entries order by created_at desc, id desc limit 51) page;
select max(id::text) from (select id from entries_by_year order by created_at desc, id desc limit 51) page;
select max(id::text) from (select id from entries_by_year order by created_at desc, id desc limit 51) page;
\echo all entries of a year
select count(*) from entries join events on events.id = event_id where extract(year from start_date) = :year;
select count(*) from entries_by_year where event_year = :year;
\echo the exchange of the names, rolled back here: the tables that refer to entries get the year, filled before, as part of their keys
begin;
alter table starts add column event_year integer;
alter table ledger_lines add column event_year integer;
alter table entry_swaps add column event_year integer;
alter table entry_acts add column event_year integer;
lock table entries, entries_by_year, starts, ledger_lines, entry_swaps, entry_acts in access exclusive mode;
select clock_timestamp() as locked \gset
alter table starts drop constraint starts_entry_id_fkey;
alter table ledger_lines drop constraint ledger_lines_entry_id_fkey;
alter table entry_swaps drop constraint entry_swaps_entry_id_fkey;
alter table entry_acts drop constraint entry_acts_entry_id_fkey;
alter table entries rename to entries_in_one;
alter table entries_by_year rename to entries;
select format('alter table %s add foreign key (entry_id, event_year) references entries (id, event_year) on delete cascade not valid', name)
from unnest(array['starts', 'ledger_lines', 'entry_swaps', 'entry_acts']) as name \gexec
select clock_timestamp() - :'locked' as exclusive_lock;
rollback;
\echo removal of a year
begin;
delete from entries_by_year where event_year = :year - 1;
commit;
select format('drop table entries_%s', :year) \gexec

select pg_size_pretty(pg_total_relation_size('entries')) as entries,
	(select pg_size_pretty(sum(pg_total_relation_size(inhrelid))) from pg_inherits where inhparent = 'entries_by_year'::regclass) as by_year;
drop table entries_by_year;

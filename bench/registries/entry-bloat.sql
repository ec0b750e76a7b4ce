select relname as table, n_tup_ins as inserted, n_tup_upd as updated, n_tup_hot_upd as hot, n_dead_tup as dead,
	autovacuum_count as vacuums, pg_size_pretty(pg_total_relation_size(relid)) as size, round(dead_tuple_percent) as dead_percent,
	round(free_percent) as free_percent
from pg_stat_user_tables, pgstattuple(relid)
where relname in ('events', 'entries', 'starts', 'ledger_lines', 'entry_acts', 'changes', 'idempotency_keys') order by 1;
select indexrelname as index, pg_size_pretty(index_size) as size, avg_leaf_density as density, leaf_fragmentation as fragmentation
from pg_stat_user_indexes join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam, pgstatindex(indexrelid)
where amname = 'btree' and pg_stat_user_indexes.relname in ('entries', 'starts', 'ledger_lines', 'changes', 'idempotency_keys')
order by index_size desc limit 14;

import type { SizeFigures } from '../registries.ts';
import { isCountedWhole, missOf } from './goal.ts';
import type { RequestFigures } from './measure-requests.ts';

interface Row {
	readonly key: string;
	readonly cells: readonly (RequestFigures | undefined)[];
	/** Of the medians, from the smallest to the largest registry. */
	readonly growth: number;
	readonly miss: ReturnType<typeof missOf>;
}

export const keyOf = ({ role, route, title }: RequestFigures) => `${route} | ${title} | ${role}`;

/** Every case, those that miss the goal first, each part with the slowest first. */
function rowsOf(parts: readonly SizeFigures[]): readonly Row[] {
	const keys = [...new Set(parts.flatMap(({ figures }) => figures.map(keyOf)))];
	const bySize = parts.map(({ figures }) => new Map(figures.map((each) => [keyOf(each), each])));
	const rows = keys.map((key) => {
		const cells = bySize.map((figures) => figures.get(key));
		const [first, last] = [cells[0], cells.at(-1)];
		const growth = first === undefined || last === undefined ? 1 : last.p50Ms / Math.max(first.p50Ms, 1);
		return { key, cells, growth, miss: last && missOf(last, parts.length > 1 ? first : undefined) };
	});
	const missed = ({ miss }: Row) => (miss === undefined ? 0 : 1);
	return rows.sort((a, b) => missed(b) - missed(a) || slowest(b) - slowest(a));
}

/** Every case by size. */
export function tableOf(parts: readonly SizeFigures[]): string {
	return `${headOf(parts)}\n${rowsOf(parts).map(lineOf).join('\n')}\n`;
}

/** In the largest registry; a smaller one doesn't make a case slow. */
const slowest = ({ cells }: Row) => cells.at(-1)?.p95Ms ?? 0;

function headOf(parts: readonly SizeFigures[]): string {
	const sizes = parts.map(({ members }) => members.toLocaleString('en'));
	return `| route | parameters | role | ${sizes.join(' | ')} | growth |\n|---|---|---|${'--:|'.repeat(sizes.length + 1)}`;
}

function lineOf({ key, cells, growth, miss }: Row): string {
	const figures = cells.map((cell) => {
		if (cell === undefined) return '';
		return cell.status === 200 ? cell.p95Ms.toFixed(1) : `${cell.p95Ms.toFixed(1)} (${cell.status})`;
	});
	return `| ${key} | ${figures.join(' | ')} | ${growth.toFixed(1)}${miss === undefined ? '' : ` **${miss}**`} |`;
}

/** For the documentation: all cases that miss the goal, and the slowest one of each other route. */
export function summaryOf(
	parts: readonly SizeFigures[],
	machine: { readonly processor: string; readonly node: string },
): string {
	const rows = rowsOf(parts);
	const routeOf = ({ key }: Row) => key.split(' | ')[0];
	const shown = rows.filter(
		(row, at) => row.miss !== undefined || rows.findIndex((other) => routeOf(other) === routeOf(row)) === at,
	);
	const missing = (miss: Row['miss']) => rows.filter((row) => row.miss === miss).length;
	const exact = rows.flatMap(({ cells }) => cells.at(-1) ?? []).filter(isCountedWhole);
	const slowestExact = Math.max(0, ...exact.map(({ p95Ms }) => p95Ms));
	return [
		`${rows.length} cases. In the largest registry ${missing('slow')} are slower than their limit, ${missing('grown')} have grown, ${missing('failed')} failed; these come first.`,
		`Then the slowest case of each other route. p95 in milliseconds by number of members; growth of the medians. ${machine.processor}, Node.js ${machine.node}.`,
		`${exact.length} cases with \`exactTotal\` have no limit; the slowest takes ${Math.round(slowestExact)} ms.`,
		'',
		headOf(parts),
		...shown.map(lineOf),
		'',
		...parts.flatMap(rateLine),
	].join('\n');
}

function rateLine({ members, entryRate }: SizeFigures): readonly string[] {
	if (entryRate === undefined) return [];
	const { clients, places, entriesPerSecond, p95Ms, accepted, waiting, repeated } = entryRate;
	const unserved = Object.values(repeated).reduce((sum, count) => sum + count, 0);
	const again = unserved === 0 ? '' : ` ${unserved} requests were not served in time and sent again.`;
	return [
		`With ${members.toLocaleString('en')} members, ${clients} clients enter one event of ${places} places at ${Math.round(entriesPerSecond)} entries a second (p95 ${Math.round(p95Ms)} ms): ${accepted} are accepted, ${waiting} wait.${again}`,
	];
}

const [begin, end] = ['<!-- registries: begin -->', '<!-- registries: end -->'];

/** Replaces the part between the marks. @throws Error if the page has none */
export function intoCapacityPage(page: string, summary: string): string {
	const [from, to] = [page.indexOf(begin), page.indexOf(end)];
	if (from === -1 || to === -1)
		throw new Error('docs/capacity.md has no marks for the table of the registries.');
	return `${page.slice(0, from)}${begin}\n${summary}\n${page.slice(to)}`;
}

import type { SizeFigures } from '../registries.ts';
import type { RequestFigures } from './measure-requests.ts';

/** The goal for 50 records, and for 200. */
const goalMs = (title: string) => (title.includes('size=200') ? 100 : 50);
const growthMax = 1.5;
/** Below this, differences are those of the machine. */
const noiseMs = 20;

interface Row {
	readonly key: string;
	readonly cells: readonly (RequestFigures | undefined)[];
	readonly growth: number;
	readonly misses: boolean;
}

function rowsOf(parts: readonly SizeFigures[]): readonly Row[] {
	const keyOf = ({ role, route, title }: RequestFigures) => `${route} | ${title} | ${role}`;
	const keys = [...new Set(parts.flatMap(({ figures }) => figures.map(keyOf)))];
	const bySize = parts.map(({ figures }) => new Map(figures.map((each) => [keyOf(each), each])));
	return keys.map((key) => {
		const cells = bySize.map((figures) => figures.get(key));
		const [first, last] = [cells[0], cells.at(-1)];
		const growth = first === undefined || last === undefined ? 1 : last.p50Ms / Math.max(first.p50Ms, 1);
		const misses =
			last !== undefined &&
			(last.status >= 500 || last.p95Ms > goalMs(last.title) || (growth > growthMax && last.p50Ms > noiseMs));
		return { key, cells, growth, misses };
	});
}

/** Every case by size, the slowest first. */
export function tableOf(parts: readonly SizeFigures[]): string {
	const rows = [...rowsOf(parts)].sort((a, b) => slowest(b) - slowest(a));
	return `${headOf(parts)}\n${rows.map(lineOf).join('\n')}\n`;
}

const slowest = ({ cells }: Row) => Math.max(...cells.map((cell) => cell?.p95Ms ?? 0));

function headOf(parts: readonly SizeFigures[]): string {
	const sizes = parts.map(({ members }) => members.toLocaleString('en'));
	return `| route | parameters | role | ${sizes.join(' | ')} | growth |\n|---|---|---|${'--:|'.repeat(sizes.length + 1)}`;
}

function lineOf({ key, cells, growth, misses }: Row): string {
	const figures = cells.map((cell) => {
		if (cell === undefined) return '';
		return cell.status === 200 ? cell.p95Ms.toFixed(1) : `${cell.p95Ms.toFixed(1)} (${cell.status})`;
	});
	return `| ${key} | ${figures.join(' | ')} | ${growth.toFixed(1)}${misses ? ' **!**' : ''} |`;
}

/** For the documentation: the slowest case of each route and role, and all that miss the goal. */
export function summaryOf(
	parts: readonly SizeFigures[],
	machine: { readonly processor: string; readonly node: string },
): string {
	const rows = [...rowsOf(parts)].sort((a, b) => slowest(b) - slowest(a));
	const routeOf = ({ key }: Row) => key.split(' | ')[0];
	const worst = rows.filter((row, at) => rows.findIndex((other) => routeOf(other) === routeOf(row)) === at);
	const missed = rows.filter(({ misses }) => misses).length;
	return [
		`Slowest case of each route, p95 in milliseconds by number of members, of ${rows.length} cases; ${missed} miss the goal of`,
		`${goalMs('')} ms (${goalMs('size=200')} ms for 200 records) or grow by more than ${growthMax}. ${machine.processor}, Node.js ${machine.node}.`,
		'',
		headOf(parts),
		...worst.map(lineOf),
		'',
		...parts.flatMap(rateLine),
	].join('\n');
}

function rateLine({ members, entryRate }: SizeFigures): readonly string[] {
	if (entryRate === undefined) return [];
	const { clients, places, entriesPerSecond, p95Ms, accepted, waiting } = entryRate;
	return [
		`With ${members.toLocaleString('en')} members, ${clients} clients enter one event of ${places} places at ${Math.round(entriesPerSecond)} entries a second (p95 ${Math.round(p95Ms)} ms): ${accepted} are accepted, ${waiting} wait.`,
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

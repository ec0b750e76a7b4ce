import { type StubService, stubService, stubToken } from '@paddock/testing';

const countries = ['AT', 'DE', 'CH'];
const statesOf: Readonly<Record<string, readonly string[]>> = { AT: ['AT-1', 'AT-3', 'AT-6'], DE: ['DE-BY'] };

/** Has Austria, Germany, Switzerland and some of their states. */
export function stubMasterdata(): Promise<StubService> {
	return stubService(({ url }) => {
		const code = /^\/api\/masterdata\/countries\/by-code\/(\w+)$/.exec(url.pathname)?.[1];
		if (code !== undefined && countries.includes(code))
			return { isoAlpha2: code, isoNumeric: '000', nameDe: 'x' };
		if (url.pathname !== '/api/masterdata/states') return undefined;
		const states = statesOf[url.searchParams.get('countryCode') ?? ''] ?? [];
		return pageOf(states.map((iso3166_2) => ({ iso3166_2 })));
	});
}

interface Referring {
	/** Club id → number of references. */
	readonly clubReferences: Map<string, number>;
}

/** Undefined = the request is not for the count of references. */
function referencesResponse(url: URL, clubReferences: Map<string, number>): { count: number } | undefined {
	if (url.pathname !== '/internal/references' || url.searchParams.get('type') !== 'CLUB') return undefined;
	return { count: clubReferences.get(url.searchParams.get('id') ?? '') ?? 0 };
}

/** Has the open entries of members. */
export async function stubEvents(): Promise<StubService & Referring & { readonly entered: Set<string> }> {
	const entered = new Set<string>();
	const clubReferences = new Map<string, number>();
	const service = await stubService(({ url }) => {
		const isEntries = url.pathname === '/api/events/entries' && url.searchParams.get('open') === 'true';
		if (!isEntries) return referencesResponse(url, clubReferences);
		return pageOf(entered.has(url.searchParams.get('memberId') ?? '') ? [{ id: 'some entry' }] : []);
	});
	return { ...service, entered, clubReferences };
}

/** Counts the horses that members own. */
export async function stubHorses(): Promise<
	StubService & Referring & { readonly owned: Map<string, number> }
> {
	const owned = new Map<string, number>();
	const clubReferences = new Map<string, number>();
	const service = await stubService(({ url }) =>
		url.pathname === '/internal/horses/owned'
			? { count: owned.get(url.searchParams.get('memberId') ?? '') ?? 0 }
			: referencesResponse(url, clubReferences),
	);
	return { ...service, owned, clubReferences };
}

/** Issues the service token. */
export async function stubAuth(): Promise<StubService & Referring> {
	const clubReferences = new Map<string, number>();
	const service = await stubService(({ url }) => referencesResponse(url, clubReferences) ?? stubToken);
	return { ...service, clubReferences };
}

function pageOf(items: readonly unknown[]) {
	const totalElements = items.length;
	const pagination = { page: 1, size: 200, totalElements, totalPages: 1, hasNext: false, hasPrevious: false };
	return { items, pagination };
}

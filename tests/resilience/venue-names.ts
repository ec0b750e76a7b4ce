interface VenuePage {
	readonly items: readonly { readonly name: string }[];
	readonly pagination: { readonly hasNext: boolean };
}

/** The names of all stored venues, as a gateway lists them; one that is stored twice is listed twice. */
export async function allVenueNames(url: string): Promise<string[]> {
	const names: string[] = [];
	for (let page = 1; ; page += 1) {
		const response = await fetch(`${url}/api/masterdata/venues?size=200&page=${page}`);
		if (response.status !== 200) throw new Error(`the venues could not be read: ${response.status}`);
		const { data } = (await response.json()) as { data: VenuePage };
		names.push(...data.items.map(({ name }) => name));
		if (!data.pagination.hasNext) return names;
	}
}

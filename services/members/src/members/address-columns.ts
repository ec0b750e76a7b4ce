interface AddressColumns {
	readonly street: string | null;
	readonly postalCode: string | null;
	/** Null = no address. */
	readonly city: string | null;
	readonly countryCode: string | null;
}

interface Address extends AddressColumns {
	readonly city: string;
	readonly countryCode: string;
}

const noAddress: AddressColumns = { street: null, postalCode: null, city: null, countryCode: null };

/** The columns that the addresses of clubs and of members have in common. */
export function addressColumns(address: Address | null): AddressColumns {
	const { street, postalCode, city, countryCode } = address ?? noAddress;
	return { street, postalCode, city, countryCode };
}

export function toAddress({ street, postalCode, city, countryCode }: AddressColumns): Address | null {
	return city === null || countryCode === null ? null : { street, postalCode, city, countryCode };
}

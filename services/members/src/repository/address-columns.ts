interface AddressColumns {
	readonly street: string | null;
	readonly postal_code: string | null;
	/** Null = no address. */
	readonly city: string | null;
	readonly country_code: string | null;
}

interface Address {
	readonly street: string | null;
	readonly postalCode: string | null;
	readonly city: string;
	readonly countryCode: string;
}

/** The columns that the addresses of clubs and of members have in common. */
export function addressColumns(address: Address | null): AddressColumns {
	return {
		street: address?.street ?? null,
		postal_code: address?.postalCode ?? null,
		city: address?.city ?? null,
		country_code: address?.countryCode ?? null,
	};
}

export function toAddress(columns: AddressColumns): Address | null {
	const { street, postal_code: postalCode, city, country_code: countryCode } = columns;
	return city === null || countryCode === null ? null : { street, postalCode, city, countryCode };
}

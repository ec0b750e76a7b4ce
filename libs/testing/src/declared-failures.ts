/** An OpenAPI document of ours, as far as it describes failures. */
export interface DescribesFailures {
	readonly components: { readonly responses?: Readonly<Record<string, Operation>> };
	readonly 'x-error-codes': Readonly<Record<string, { readonly status: number }>>;
}

interface Operation {
	readonly responses?: unknown;
	readonly content?: unknown;
	readonly 'x-error-codes'?: readonly string[];
}

/** Whether the operation or any operation may fail with this code and status. */
export function declaresFailure(
	document: DescribesFailures,
	operation: Operation,
	status: number,
	code: string,
): boolean {
	const ofAny = document.components.responses?.['AnyFailure']?.['x-error-codes'] ?? [];
	const codes = [...(operation['x-error-codes'] ?? []), ...ofAny];
	return codes.includes(code) && document['x-error-codes'][code]?.status === status;
}

/** The code of a failure envelope; undefined for any other body. */
export function codeOf(json: unknown): string | undefined {
	const { data } = (json ?? {}) as { data?: { code?: unknown } | null };
	return typeof data?.code === 'string' ? data.code : undefined;
}

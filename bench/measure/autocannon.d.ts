/** The part of the API that is used; the package has no types. */
declare module 'autocannon' {
	interface Options {
		url: string;
		connections: number;
		duration: number;
		overallRate?: number;
		requests: { method: string; path: string; headers: Record<string, string>; body?: string }[];
	}
	interface Result {
		duration: number;
		errors: number;
		requests: { total: number };
		statusCodeStats: Record<string, { count: number }>;
		latency: { p50: number; p99: number; p99_9: number };
	}
	// biome-ignore lint/style/noDefaultExport: the declaration describes the default export of the package
	export default function autocannon(options: Options): Promise<Result>;
}

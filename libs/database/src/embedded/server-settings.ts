/** The command line of the server. What is not set here is PostgreSQL's default. */
export function serverArguments(options: {
	cluster: string;
	host: string;
	port: number;
	durable: boolean;
}): string[] {
	const settings: Record<string, string> = {
		listen_addresses: options.host,
		// Every login goes through TCP and its password; a socket file would be one more door.
		unix_socket_directories: '',
		// Pools of six contexts with ten connections each, and the operator.
		max_connections: '100',
		// It shares a small machine with eight processes of ours.
		shared_buffers: '48MB',
		io_method: 'sync',
		jit: 'off',
		timezone: 'UTC',
		log_timezone: 'UTC',
		log_line_prefix: '%m %d ',
		log_checkpoints: 'off',
		...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
	};
	const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	return ['-D', options.cluster, '-p', String(options.port), ...flags];
}

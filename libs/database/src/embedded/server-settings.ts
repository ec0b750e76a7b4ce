/** The command line of the server. Other settings have PostgreSQL's defaults. */
export function serverArguments(options: {
	cluster: string;
	host: string;
	port: number;
	durable: boolean;
}): string[] {
	const settings: Record<string, string> = {
		listen_addresses: options.host,
		// Every login uses TCP and a password; a socket file would be another entry point.
		unix_socket_directories: '',
		// Six contexts with pools of ten connections each, plus the operator.
		max_connections: '100',
		// The server shares a small machine with eight other processes.
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

/** One worker that only proxies: the upper bound for one core. */
export function nginxConfig(port: number, upstreamPort: number, directory: string): string {
	return `daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log ${directory}/nginx.log crit;
events { worker_connections 4096; }
http {
	access_log off;
	client_body_temp_path ${directory}/body;
	proxy_temp_path ${directory}/proxy;
	fastcgi_temp_path ${directory}/fastcgi;
	uwsgi_temp_path ${directory}/uwsgi;
	scgi_temp_path ${directory}/scgi;
	keepalive_requests 100000000;
	upstream service { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 100000000; }
	server {
		listen 127.0.0.1:${port} backlog=4096;
		location / {
			proxy_pass http://service;
			proxy_http_version 1.1;
			proxy_set_header Connection "";
		}
	}
}
`;
}

export function haproxyConfig(port: number, upstreamPort: number): string {
	return `global
	nbthread 1
	maxconn 4096
defaults
	mode http
	timeout connect 1s
	timeout client 30s
	timeout server 30s
	http-reuse always
frontend all
	bind 127.0.0.1:${port}
	default_backend service
backend service
	server only 127.0.0.1:${upstreamPort} pool-max-conn 256
`;
}

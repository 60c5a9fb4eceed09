//! `viewmerge explore`: serves the explorer to the browser.
//!
//! The page contains the whole library, so that one page is all that is served, to this
//! machine only, and questions to it stay in the browser. The chain is in the fragment
//! of the link (behind `#`), which a browser does not send.
//!
//! Cost: a request is a read of at most 8 KiB and a write of the page.
//!
//! Policy: one request per connection, GET of the page alone, within five seconds; other
//! requests get a short refusal. Failed connections are ignored.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use viewmerge::ViewChain;

use crate::commands::read;
use crate::show::{Answer, Refusal};

/// The page, if the command was built with it; otherwise empty.
const PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.html"));

const MOST_BYTES: usize = 8 << 10;
const PATIENCE: Duration = Duration::from_secs(5);

/// Shows the page, and serves it until the process ends.
///
/// # Errors
///
/// If the chain is refused, the page is missing, or the port is taken.
pub fn run(parts: &[String], port: u16, open: bool) -> Result<Answer, Refusal> {
    let chain = parts.join(" | ");
    if !chain.is_empty() {
        read::<ViewChain>(&chain)?;
    }
    if PAGE.is_empty() {
        return Err(
            "this command was built without the page: run scripts/wasm, then build it again".into(),
        );
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("port {port}: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let link = format!("http://127.0.0.1:{port}/{}", fragment(&chain));
    crate::show::print(&format!("{link}\n"))?;
    if open {
        show(&link);
    }
    for stream in listener.incoming().flatten() {
        // A client that hung up needs no answer.
        let _ = answer(stream, PAGE);
    }
    Ok(Answer::silent())
}

/// The part of a link that holds a chain.
fn fragment(chain: &str) -> String {
    if chain.is_empty() {
        return String::new();
    }
    let letter = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'(' | b')' | b',' | b':' | b'-' | b'_' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    format!("#chain={}", chain.bytes().map(letter).collect::<String>())
}

/// Asks the desktop to open a link; a failure is ignored, since the link was printed.
fn show(link: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = || Stdio::null();
    let _ = Command::new(opener).arg(link).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

/// Answers one request.
fn answer(mut stream: TcpStream, page: &[u8]) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(&mut stream)?;
    let first = head.split(|&byte| byte == b'\r' || byte == b'\n').next().unwrap_or_default();
    let (status, kind, body): (_, _, &[u8]) = match asked(first) {
        Ok(()) => ("200 OK", "text/html; charset=utf-8", page),
        Err(status) => (status, "text/plain; charset=utf-8", status.as_bytes()),
    };
    let allow = if status.starts_with("405") { "Allow: GET\r\n" } else { "" };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{allow}\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    stream.flush()
}

/// The request up to the blank line, or its first bytes if it is too long.
fn head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let start = Instant::now();
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < MOST_BYTES {
        let left = PATIENCE.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer)? {
            0 => break,
            count => head.extend_from_slice(&buffer[..count]),
        }
    }
    Ok(head)
}

/// Whether the first line of a request asks for the page.
fn asked(line: &[u8]) -> Result<(), &'static str> {
    let Ok(line) = str::from_utf8(line) else { return Err("400 Bad Request") };
    let mut words = line.split(' ');
    let (method, path, version) = (words.next(), words.next(), words.next());
    match (method, path, version, words.next()) {
        (Some(method), Some(path), Some(version), None) if version.starts_with("HTTP/1.") => {
            if method != "GET" {
                return Err("405 Method Not Allowed");
            }
            // The query is ignored.
            match path.split('?').next() {
                Some("/" | "/index.html") => Ok(()),
                _ => Err("404 Not Found"),
            }
        }
        _ => Err("400 Bad Request"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &[u8]) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let mut client = TcpStream::connect(address).expect("somebody listens");
        client.write_all(request).expect("it is written");
        client.shutdown(std::net::Shutdown::Write).expect("it was open");
        let (stream, _) = listener.accept().expect("somebody asks");
        answer(stream, b"the page").expect("it is answered");
        let mut told = Vec::new();
        // Unread bytes of a long request may reset the connection.
        let _ = client.read_to_end(&mut told);
        String::from_utf8_lossy(&told).into_owned()
    }

    #[test]
    fn only_the_page_is_served() {
        let page = ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\nthe page"),
            "{page}"
        );
        assert!(page.contains("Content-Length: 8\r\n"), "{page}");
        let rows: [(&[u8], &str); 9] = [
            (b"GET /index.html?x HTTP/1.0\r\n\r\n", "200"),
            (b"GET /../../etc/passwd HTTP/1.1\r\n\r\n", "404"),
            (b"GET /favicon.ico HTTP/1.1\r\n\r\n", "404"),
            (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "405"),
            (b"HEAD / HTTP/1.1\r\n\r\n", "405"),
            (b"GET / HTTP/1.1 x\r\n\r\n", "400"),
            (b"GET /\r\n\r\n", "400"),
            (b"\xff\xff / HTTP/1.1\r\n\r\n", "400"),
            (b"", "400"),
        ];
        for (request, status) in rows {
            let told = ask(request);
            assert!(told.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {told}");
        }
    }

    #[test]
    fn no_more_than_a_head_is_read() {
        let mut request = b"GET / HTTP/1.1\r\n".to_vec();
        request.resize(MOST_BYTES + 1000, b'x');
        let (mut reader, mut writer) = {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
            let writer = TcpStream::connect(listener.local_addr().expect("it is bound"));
            (listener.accept().expect("somebody asks").0, writer.expect("somebody listens"))
        };
        writer.write_all(&request).expect("it is written");
        let read = head(&mut reader).expect("it is read");
        assert!((MOST_BYTES..MOST_BYTES + 1024).contains(&read.len()), "{}", read.len());
    }

    #[test]
    fn a_chain_is_kept_in_the_fragment() {
        assert_eq!(fragment(""), "");
        assert_eq!(fragment("(2):(1)+3 | (2)"), "#chain=(2):(1)%2B3%20%7C%20(2)");
    }
}

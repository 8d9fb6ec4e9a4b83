// SPDX-License-Identifier: GPL-3.0-or-later
//! The app's files: from the program if it was built with them, from a folder if told so.

mod page;

use std::{fs, net::SocketAddr};

use page::{Folder, Running, config};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The status line with all headers in lower case, and the body.
async fn get(address: SocketAddr, path: &str, more: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase();
    (head, answer[end + 4..].to_vec())
}

fn status(head: &str) -> &str {
    head.split(' ').nth(1).unwrap()
}

#[tokio::test]
async fn a_folder_is_served_and_nothing_outside_it() {
    let folder = Folder::new("app");
    let web = folder.0.join("web");
    fs::create_dir_all(web.join("assets")).unwrap();
    fs::write(web.join("index.html"), "the page").unwrap();
    fs::write(web.join("assets/a.js"), "code").unwrap();
    fs::write(folder.0.join("secret.txt"), "secret").unwrap();
    let mut config = config(&folder.0);
    config.web = Some(web);
    let server = Running::start(config).await;
    for path in ["/", "/study/some-name", "/game/some-name"] {
        let (head, body) = get(server.address, path, "").await;
        assert_eq!((status(&head), body.as_slice()), ("200", b"the page".as_slice()), "{path}");
        assert!(head.contains("content-security-policy: default-src 'self'"), "{head}");
    }
    let (head, body) = get(server.address, "/assets/a.js", "").await;
    assert!(head.contains("text/javascript") && body == b"code", "{head}");
    for path in ["/../secret.txt", "/assets/../../secret.txt", "/nothing.png", "/%2e%2e/secret.txt"] {
        assert_eq!(status(&get(server.address, path, "").await.0), "404", "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_app_in_the_program_is_compressed_or_its_absence_explained() {
    let folder = Folder::new("embedded");
    let server = Running::start(config(&folder.0)).await;
    let (head, body) = get(server.address, "/", "Accept-Encoding: gzip, br\r\n").await;
    match server::http::missing() {
        Some(reason) => {
            assert_eq!(status(&head), "503");
            assert_eq!(String::from_utf8(body).unwrap().trim(), reason);
        }
        None => {
            assert!(status(&head) == "200" && head.contains("content-encoding: br"), "{head}");
            let (head, plain) = get(server.address, "/study/some-name", "").await;
            assert!(head.contains("text/html") && !head.contains("content-encoding"), "{head}");
            let page = String::from_utf8(plain).unwrap();
            let script = page.split("src=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            let (head, code) = get(server.address, script, "Accept-Encoding: gzip\r\n").await;
            assert!(head.contains("content-encoding: gzip") && head.contains("immutable"), "{head}");
            assert!(code.starts_with(&[0x1f, 0x8b]));
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn names_that_point_here_from_elsewhere_are_refused() {
    let folder = Folder::new("names");
    let server = Running::start(config(&folder.0)).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream
        .write_all(b"GET /api/games HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    server.stop().await;
}

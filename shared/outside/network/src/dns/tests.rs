use std::{net::Ipv4Addr, sync::Arc};

use hickory_resolver::{
    TokioResolver,
    config::{ConnectionConfig, NameServerConfig, ResolverConfig},
    net::runtime::TokioRuntimeProvider,
    proto::{
        op::{Message, OpCode, ResponseCode},
        rr::{RData, Record, rdata::TXT},
    },
};
use tokio::net::UdpSocket;

use super::*;

/// A resolver that asks a name server which answers each request like this.
async fn resolver(code: ResponseCode, texts: Vec<Vec<String>>) -> Dns {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = socket.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let mut buffer = [0; 1_500];
        loop {
            let (length, client) = socket.recv_from(&mut buffer).await.expect("a request");
            let request = Message::from_vec(&buffer[..length]).expect("a message");
            let mut answer = Message::error_msg(request.id, OpCode::Query, code);
            answer.metadata.recursion_desired = true;
            answer.metadata.recursion_available = true;
            for query in &request.queries {
                answer.add_query(query.clone());
                for texts in &texts {
                    let data = RData::TXT(TXT::new(texts.clone()));
                    answer.add_answer(Record::from_rdata(query.name().clone(), 60, data));
                }
            }
            let answer = answer.to_vec().expect("bytes");
            socket.send_to(&answer, client).await.expect("sent");
        }
    });
    let mut connection = ConnectionConfig::udp();
    connection.port = port;
    let server = NameServerConfig::new(Ipv4Addr::LOCALHOST.into(), true, vec![connection]);
    let config = ResolverConfig::from_name_servers(vec![server]);
    let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
    builder.options_mut().attempts = 0;
    let resolver = builder.build().expect("a resolver");
    Dns(Arc::new(Source::System(Box::new(OnceCell::from(resolver)))))
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}

#[tokio::test]
async fn the_parts_of_a_text_are_joined_and_texts_are_not() {
    let records = vec![texts(&["v=spf1 ", "-all"]), texts(&["other"])];
    let dns = resolver(ResponseCode::NoError, records).await;
    let found = dns.texts("_gotthard-challenge.example.ch").await.expect("texts");
    assert_eq!(found, ["v=spf1 -all", "other"]);
}

#[tokio::test]
async fn a_name_without_texts_is_not_a_failure() {
    for code in [ResponseCode::NXDomain, ResponseCode::NoError] {
        let dns = resolver(code, Vec::new()).await;
        assert_eq!(dns.texts("nothing.example.ch").await, Ok(Vec::new()), "{code}");
    }
}

#[tokio::test]
async fn a_name_server_that_fails_says_nothing_about_the_name() {
    for code in [ResponseCode::ServFail, ResponseCode::Refused] {
        let dns = resolver(code, Vec::new()).await;
        assert!(dns.texts("example.ch").await.is_err(), "{code}");
    }
    let malformed = resolver(ResponseCode::NoError, Vec::new()).await;
    assert!(malformed.texts(&"x".repeat(300)).await.is_err());
}

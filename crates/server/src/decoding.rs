//! Decodes the Content-Encoding of request bodies.
//!
//! A body is read like an archive with the same compression: concatenated gzip members (RFC 1952, 2.2) and zstd frames
//! form one text, and nothing else may follow the last of them. Common middleware reads the first member and ignores
//! the rest, so that two readers of the same body would see different texts.

use std::io;

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use axum::body::{Body, Bytes};
use bytes::BytesMut;
use futures_util::stream::{BoxStream, StreamExt as _, TryStreamExt as _, try_unfold};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _};
use tokio_util::io::StreamReader;

/// A content coding that request bodies may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContentCoding {
    /// RFC 1952.
    Gzip,
    /// RFC 8878, with windows of at most 8 MiB (RFC 9659).
    Zstd,
    /// RFC 7932.
    Brotli,
    /// RFC 1950; `deflate` in HTTP (RFC 9110, 8.4.1.2).
    Deflate,
}

/// The names of the codings, for messages and for `Accept-Encoding`.
pub(crate) const ENCODINGS: &str = "gzip, zstd, br, deflate";

impl ContentCoding {
    /// Returns the coding with this name, in lower case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "zstd" => Some(Self::Zstd),
            "br" => Some(Self::Brotli),
            "deflate" => Some(Self::Deflate),
            _ => None,
        }
    }
}

/// The body as sent.
type EncodedBody = StreamReader<BoxStream<'static, io::Result<Bytes>>, Bytes>;

/// A decoder that gives access to its input, to check what follows the compressed data.
trait Decode: AsyncRead + Unpin + Send {
    fn sent(&mut self) -> &mut EncodedBody;
}

macro_rules! decode {
    ($($decoder:ident),*) => {$(
        impl Decode for $decoder<EncodedBody> {
            fn sent(&mut self) -> &mut EncodedBody {
                self.get_mut()
            }
        }
    )*};
}

decode!(BrotliDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder);

/// Returns the same body without its coding, decompressed piece by piece while it is read; its reader limits the
/// length. Reading fails if the data is cut off or damaged, or if anything follows it.
pub(crate) fn decoded(body: Body, coding: ContentCoding) -> Body {
    let sent = body.into_data_stream().map_err(io::Error::other);
    let start = DecodedBody::Unread(StreamReader::new(sent.boxed()), coding);
    Body::from_stream(try_unfold(start, DecodedBody::next))
}

/// A body being decompressed.
enum DecodedBody {
    Unread(EncodedBody, ContentCoding),
    Under(Box<dyn Decode>),
}

impl DecodedBody {
    /// Returns the next piece; `None` at the end.
    async fn next(self) -> io::Result<Option<(Bytes, Self)>> {
        const PIECE: usize = 32 << 10;
        let mut decoder = match self {
            Self::Unread(sent, coding) => decoder(sent, coding).await?,
            Self::Under(decoder) => decoder,
        };
        let mut piece = BytesMut::with_capacity(PIECE);
        if decoder.read_buf(&mut piece).await? > 0 {
            return Ok(Some((piece.freeze(), Self::Under(decoder))));
        }
        if decoder.sent().fill_buf().await?.is_empty() {
            return Ok(None);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "the compressed data is followed by other bytes"))
    }
}

async fn decoder(mut sent: EncodedBody, coding: ContentCoding) -> io::Result<Box<dyn Decode>> {
    // 8 MiB, the largest window that this coding may use in HTTP.
    const ZSTD_WINDOW_LOG: u32 = 23;
    Ok(match coding {
        ContentCoding::Gzip => {
            let mut decoder = GzipDecoder::new(sent);
            decoder.multiple_members(true);
            Box::new(decoder)
        }
        ContentCoding::Zstd => {
            let mut decoder = ZstdDecoder::with_params(sent, &[DParameter::window_log_max(ZSTD_WINDOW_LOG)]);
            decoder.multiple_members(true);
            Box::new(decoder)
        }
        ContentCoding::Brotli => {
            // WBITS 0010001 is reserved (RFC 7932, 9.1). The decoder takes it for its own extension, with windows of up
            // to 1 GiB.
            if sent.fill_buf().await?.first().is_some_and(|byte| byte & 0x7F == 0x11) {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the window size is not valid for this encoding",
                ));
            }
            Box::new(BrotliDecoder::new(sent))
        }
        ContentCoding::Deflate => Box::new(ZlibDecoder::new(sent)),
    })
}

package dev.sotto.app.serve;

import io.undertow.io.Receiver;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;

/** Reads the bodies of requests, within bounds of bytes, memory and time, and answers. */
final class RequestBodies {
  private static final Logger LOG = LoggerFactory.getLogger(RequestBodies.class);
  private static final String JSON = "application/json";

  /** Of a request, whatever its body. */
  private static final long OVERHEAD = 16 << 10;

  private static final AttachmentKey<XnioExecutor.Key> DEADLINE =
      AttachmentKey.create(XnioExecutor.Key.class);

  private final ServeSettings.Limits limits;
  private final ServeMetrics metrics;
  private final RequestMemory memory;

  RequestBodies(ServeSettings.Limits limits, ServeMetrics metrics) {
    this.limits = limits;
    this.metrics = metrics;
    this.memory = RequestMemory.of(limits);
  }

  /** What is made of a body. */
  interface Body {
    void answer(HttpServerExchange exchange, byte[] body, RequestMemory.Lease lease)
        throws BadRequestException;
  }

  /** Bounds the time that a body takes to arrive, whoever wants it or not: the first step. */
  void bound(HttpServerExchange exchange) {
    if (exchange.isRequestComplete()) {
      return;
    }
    exchange.putAttachment(DEADLINE, closing(exchange));
    exchange.addExchangeCompleteListener((done, next) -> {
      arrived(done);
      next.proceed();
    });
  }

  private static void arrived(HttpServerExchange exchange) {
    XnioExecutor.Key deadline = exchange.removeAttachment(DEADLINE);
    if (deadline != null) {
      deadline.remove();
    }
  }

  /** Reads the body of a POST, and answers it. */
  void post(HttpServerExchange exchange, Body answer) {
    if (!exchange.getRequestMethod().toString().equals("POST")) {
      exchange.getResponseHeaders().put(Headers.ALLOW, "POST");
      error(exchange, 405, "POST only");
      return;
    }
    long begun = System.nanoTime();
    RequestMemory.Lease lease = memory.new Lease();
    exchange.addExchangeCompleteListener((done, next) -> {
      lease.release();
      metrics.answered(code(done), System.nanoTime() - begun);
      next.proceed();
    });
    long length = exchange.getRequestContentLength();
    if (length > limits.bodyBytes()) {
      refuse(exchange, 413, tooLarge());
      return;
    }
    try {
      lease.cover(EventScoring.KNOWN * (length < 0 ? limits.bodyBytes() : length) + OVERHEAD);
    } catch (BadRequestException full) {
      refuse(exchange, full.code(), full.getMessage());
      return;
    }
    Receiver receiver = exchange.getRequestReceiver();
    receiver.setMaxBufferSize((int) Math.min(limits.bodyBytes(), Integer.MAX_VALUE));
    receiver.receiveFullBytes(
        (each, body) -> {
          arrived(each);
          try {
            answer.answer(each, body, lease);
          } catch (BadRequestException wrong) {
            error(each, wrong.code(), wrong.getMessage());
          } catch (RuntimeException broken) {
            LOG.warn("a request failed: {}", broken.getClass().getSimpleName(), broken);
            error(each, 500, "the log inside has the details");
          }
        },
        (each, failed) -> {
          if (failed instanceof Receiver.RequestToLargeException) {
            refuse(each, 413, tooLarge());
          } else {
            refuse(each, 400, "the body must arrive whole, but breaks off");
          }
        });
  }

  /** That of the answer; where there is none, since the caller broke off, 400. */
  private static int code(HttpServerExchange done) {
    int code = done.getStatusCode();
    return done.isResponseStarted() || code >= 400 ? code : 400;
  }

  private String tooLarge() {
    return "a body must have at most " + limits.bodyBytes() + " bytes; send fewer events at a time";
  }

  /** Answers, and closes the connection: what else comes is thrown away, for some seconds. */
  void refuse(HttpServerExchange exchange, int code, String message) {
    exchange.setPersistent(false);
    error(exchange, code, message);
  }

  /** Closes the connection of a request that takes too long. */
  private XnioExecutor.Key closing(HttpServerExchange exchange) {
    return exchange
        .getIoThread()
        .executeAfter(
            () -> {
              if (!exchange.isResponseStarted()) {
                exchange.setStatusCode(408); // for the metrics: there is no answer
              }
              IoUtils.safeClose(exchange.getConnection());
            },
            limits.seconds(),
            TimeUnit.SECONDS);
  }

  static void error(HttpServerExchange exchange, int code, String message) {
    if (code == 503) {
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
    }
    send(exchange, code, OpenInference.object(json -> json.writeStringField("error", message)));
  }

  static void send(HttpServerExchange exchange, int code, byte[] body) {
    if (!exchange.getResponseHeaders().contains(Headers.CONTENT_TYPE)) {
      exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, JSON);
    }
    exchange.setStatusCode(code);
    exchange.getResponseSender().send(ByteBuffer.wrap(body));
  }
}

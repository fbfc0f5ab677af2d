package dev.sotto.app.serve;

import io.undertow.server.HttpServerExchange;
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
      metrics.answered(done.getStatusCode(), System.nanoTime() - begun);
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
    XnioExecutor.Key deadline = closing(exchange);
    exchange
        .getRequestReceiver()
        .receiveFullBytes(
            (each, body) -> {
              deadline.remove();
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
              deadline.remove();
              refuse(each, 413, tooLarge());
            });
  }

  private String tooLarge() {
    return "a body must have at most " + limits.bodyBytes() + " bytes; send fewer events at a time";
  }

  /** Answers, and closes the connection: what else comes is thrown away, for some seconds. */
  void refuse(HttpServerExchange exchange, int code, String message) {
    exchange.setPersistent(false);
    XnioExecutor.Key deadline = closing(exchange);
    exchange.addExchangeCompleteListener((done, next) -> {
      deadline.remove();
      next.proceed();
    });
    error(exchange, code, message);
  }

  /** Closes the connection of a request that takes too long. */
  private XnioExecutor.Key closing(HttpServerExchange exchange) {
    return exchange
        .getIoThread()
        .executeAfter(
            () -> IoUtils.safeClose(exchange.getConnection()), limits.seconds(), TimeUnit.SECONDS);
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

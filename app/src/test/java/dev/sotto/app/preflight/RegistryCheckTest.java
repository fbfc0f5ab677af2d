package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryCheckTest {
  @TempDir
  private Path folder;

  @Test
  void asksEachRegistryThatTheLearnerWouldWaitFor() throws Exception {
    AtomicInteger status = new AtomicInteger(404);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/schemas/ids/", exchange -> {
      byte[] body = "{\"error_code\":40403}".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status.get(), body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      SottoConfig config = SottoConfig.load(ConfigSource.of("text", """
              app.id: checked
              bootstrap.servers: localhost:9092
              events.topic: points
              events.format: avro
              events.avro.framing: confluent
              events.registry.url: %s
              published.registry.url: %s
              features.numeric.x: {field: x, min: -1, max: 1}
              label.field: y
              loss: logistic
              privacy.epsilon: 2
              privacy.delta: 1e-6
              noise.key.env: SOTTO_NOISE_KEY
              state.dir: "%s"
              """.formatted(url, url, folder))
          .withEnvironment(Map.of("SOTTO_NOISE_KEY", "ab".repeat(32))));
      assertThat(found(config)).hasSize(2).allMatch(each -> each.contains(url + " answers"));
      status.set(401);
      assertThat(found(config))
          .hasSize(2)
          .anyMatch(each -> each.contains("check events.registry.auth and the secret"))
          .anyMatch(each -> each.contains("check published.registry.auth and the secret"));
    } finally {
      server.stop(0);
    }
  }

  private static List<String> found(SottoConfig config) {
    PreflightFindings findings = new PreflightFindings();
    RegistryCheck.run(config, findings);
    return findings.all().stream()
        .filter(each -> each.subject().endsWith("registry.url"))
        .map(Object::toString)
        .toList();
  }
}

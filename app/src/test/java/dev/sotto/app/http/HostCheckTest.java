package dev.sotto.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.settings.HttpSettings;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests under the name of somebody else's page are refused, on every path. */
class HostCheckTest {
  private static final HttpSettings SETTINGS = new HttpSettings(
      "Learner.Local", 0, Optional.empty(), 10, List.of("sotto.example", "learner-0"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:9404",
        "10.1.2.3:9404",
        "[::1]:9404",
        "[::1]",
        "[FE80::1%25eth0]:80",
        "localhost",
        "LOCALHOST:9404",
        "localhost.:9404",
        "learner.local:9404",
        "sotto.example",
        "SOTTO.example.:443",
        "learner-0:9404"
      })
  void admitsAddressesAndItsOwnNames(String host) {
    assertThat(HostCheck.of(SETTINGS).admits(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":9404",
        "evil.example",
        "evil.example:9404",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.example:9404",
        "localhost.evil.example",
        "evil.example:9404:9404",
        "127.0.0.1@evil.example",
        "[::1].evil.example",
        "sotto.example.evil.example",
        "xsotto.example",
        "learner-1:9404"
      })
  void refusesAnyOtherName(String host) {
    assertThat(HostCheck.of(SETTINGS).admits(host)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health/live", "/metrics", "/api/state", "/nowhere"})
  void answersAForeignNameWithoutContent(String path) throws Exception {
    Map<String, HttpEndpoint.Page> pages =
        Map.of("/api/state", new HttpEndpoint.Page("application/json", () -> "secret"));
    try (HttpEndpoint endpoint = HttpEndpoint.startWith(
        "flights", HttpSettings.anyPort(), Views.plan(), InstanceView::starting, Map::of, pages)) {
      int port = URI.create(endpoint.address()).getPort();
      assertThat(ask(port, path, "Host: evil.example:" + port + "\r\n"))
          .startsWith("HTTP/1.1 421 ")
          .contains("ask by an address or localhost", "http.names")
          .doesNotContain("secret", "flights");
      assertThat(ask(port, path, "Host: localhost:" + port + "\r\n"))
          .doesNotStartWith("HTTP/1.1 421 ");
    }
  }

  @Test
  void answersAProbeWithoutAHost() {
    assertThat(HostCheck.of(SETTINGS).admits(null)).isTrue();
  }

  private static String ask(int port, String path, String header) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      OutputStream out = socket.getOutputStream();
      String request = "GET " + path + " HTTP/1.1\r\n" + header + "Connection: close\r\n\r\n";
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package dev.sotto.config.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "9404, 127.0.0.1, 9404",
    "0, 127.0.0.1, 0",
    "0.0.0.0:80, 0.0.0.0, 80",
    "my-host.example:65535, my-host.example, 65535",
    "[::1]:9404, ::1, 9404"
  })
  void readsAnAddress(String listen, String host, int port) {
    assertThat(HttpSettings.parse(listen, Optional.empty(), 7))
        .contains(new HttpSettings(host, port, Optional.empty(), 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host",
        ":",
        ":9404",
        "host:",
        "host:65536",
        "host:-1",
        "::1:80",
        "a b:80",
        "host:80:"
      })
  void refusesWhatIsNone(String listen) {
    assertThat(HttpSettings.parse(listen, Optional.empty(), 7)).isEmpty();
  }
}

package dev.sotto.topology.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReaderConfigTest {
  @TempDir
  private Path folder;

  private Map<String, String> withVariable() throws IOException {
    Path file = folder.resolve("client.properties");
    Files.writeString(file, "bytes=2000\n");
    return Map.of(
        "bootstrap.servers",
        "localhost:1",
        "consumer.fetch.max.bytes",
        "${file:" + file + ":bytes}");
  }

  @Test
  void keepsTheProvidersOfValues() throws IOException {
    Map<String, String> clients = new HashMap<>(withVariable());
    clients.put("config.providers", "file");
    clients.put("config.providers.file.class", FileConfigProvider.class.getName());
    try (Consumer<byte[], byte[]> consumer = ReaderConfig.consumer(clients, "read_committed")) {
      assertThat(consumer.assignment()).isEmpty();
    }
  }

  @Test
  void wouldNoticeTheLossOfAProvider() throws IOException {
    Map<String, String> clients = withVariable();
    assertThatThrownBy(() -> ReaderConfig.consumer(clients, "read_committed"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("fetch.max.bytes");
  }
}

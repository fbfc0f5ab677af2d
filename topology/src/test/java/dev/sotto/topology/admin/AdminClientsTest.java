package dev.sotto.topology.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AdminClientsTest {
  @Test
  void takesItsOwnSettingsAndThoseOfAllClients() {
    assertThat(AdminClients.settings(Map.of(
            "bootstrap.servers", "b:1",
            "security.protocol", "PLAINTEXT",
            "admin.security.protocol", "SSL",
            "consumer.security.protocol", "SASL_SSL",
            "main.consumer.client.id", "x",
            "producer.acks", "1",
            "topic.segment.ms", "1000")))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("bootstrap.servers", "b:1", "security.protocol", "SSL"));
  }
}

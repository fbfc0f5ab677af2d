package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.registry.RegistryWait;
import dev.sotto.topology.status.LearnerStatus;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryReportTest {
  @Test
  void tellsEachWaitOnceAndItsEnd() {
    List<String> lines = new ArrayList<>();
    List<RegistryWait.Waiting> waiting = new ArrayList<>();
    LearnerStatus status = new LearnerStatus(1);
    status.waits(() -> waiting.stream().findFirst());
    try (RegistryReport report = new RegistryReport(status, lines::add)) {
      report.look();
      assertThat(lines).isEmpty();
      for (int i = 1; i <= 2; i++) {
        waiting.add(
            new RegistryWait.Waiting(URI.create("http://schemas:8081"), Duration.ofSeconds(i)));
        report.look();
        report.look();
        assertThat(lines).hasSize(2 * i - 1);
        assertThat(lines.get(2 * i - 2))
            .startsWith("waiting for the schema registry at http://schemas:8081;");
        waiting.clear();
        report.look();
        report.look();
        assertThat(lines)
            .hasSize(2 * i)
            .endsWith("waits no longer for the schema registry at http://schemas:8081");
      }
    }
  }
}

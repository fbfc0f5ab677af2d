package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.topology.registry.CopySettings;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.registry.SchemaRegistry;
import java.util.Optional;

/** Whether the schema registries answer that a learner would wait for. */
final class RegistryCheck {
  private RegistryCheck() {}

  static void run(SottoConfig config, PreflightFindings findings) {
    config
        .learner()
        .events()
        .registry()
        .flatMap(SchemaRegistry::client)
        .ifPresent(client -> check(client, RegistrySettings.PREFIX, findings));
    EventSchemaCheck.ofRegistry(config).ifPresent(result -> types(result, findings));
    config
        .service()
        .copies()
        .map(RegistryCopies::client)
        .ifPresent(client -> check(client, CopySettings.PREFIX, findings));
  }

  /** Whether the newest schema has types that can be read. */
  private static void types(EventSchemaCheck.Result result, PreflightFindings findings) {
    result
        .faults()
        .forEach(each -> findings.fault(
            result.name(), each, "types that can be read", "correct the configuration"));
    if (result.faults().isEmpty()) {
      findings.ok(
          result.name(), result.note().isEmpty() ? "its fields can be read" : result.note());
    }
  }

  private static void check(RegistryClient client, String prefix, PreflightFindings findings) {
    String subject = prefix + "url";
    Optional<String> fault = client.fault();
    if (fault.isEmpty()) {
      findings.ok(subject, client.url() + " answers");
    } else {
      findings.fault(
          subject,
          client.url() + ": " + fault.get(),
          "a registry that answers: the learner waits for it",
          "start the registry, or correct " + prefix + "*");
    }
  }
}

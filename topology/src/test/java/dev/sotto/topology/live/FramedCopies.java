package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

/** A trial that publishes copies for a registry, read as any consumer does that resolves the ids. */
public final class FramedCopies {
  private FramedCopies() {}

  /** A learner that is not started, with copies of all that may have one. */
  public static LearnerService learner(Trial trial, SchemaRegistry events, URI registry) {
    LearnerSettings learner = trial.learner();
    ServiceSettings service = trial.service();
    RegistryClient client = new RegistryClient(registry, () -> "", Optional.empty());
    return new LearnerService(
        new LearnerSettings(
            learner.app(),
            learner.layout(),
            new LearnerSettings.Events(
                learner.eventTopic(),
                learner.modelIds(),
                learner.events().decoders(),
                Optional.empty(),
                Optional.of(events)),
            learner.run(),
            learner.cadence()),
        new ServiceSettings(
            service.clients(),
            service.stateFolder(),
            new ServiceSettings.FirstStart(
                service.replication(),
                service.fromLatest(),
                service.historyHorizon(),
                Optional.of(
                    new RegistryCopies(client, Set.of(RegistryCopies.Kind.values()), true))),
            service.threads(),
            service.transactionTimeout()));
  }

  /** Requires a copy of every committed record, with the same key and body. */
  public static void require(Trial trial, IntFunction<Schema> schemas) throws IOException {
    String app = trial.learner().app();
    List<GenericRecord> entries = copies(trial, Names.ledger(app), schemas);
    assertThat(entries)
        .extracting(each -> each.get("round"))
        .containsExactlyElementsOf(trial.published().ledger().stream()
            .<Object>map(each -> each.round())
            .toList());
    assertThat(copies(trial, Names.snapshots(app), schemas))
        .extracting(each -> each.getSchema().getName())
        .contains("ModelSnapshot", "WeightsChunk");
  }

  private static List<GenericRecord> copies(Trial trial, String topic, IntFunction<Schema> schemas)
      throws IOException {
    var originals = Published.read(trial.clients(), topic);
    var copies = Published.read(trial.clients(), Names.registryCopy(topic));
    assertThat(copies).isNotEmpty().hasSameSizeAs(originals);
    List<GenericRecord> records = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      byte[] value = copies.get(i).value();
      assertThat(copies.get(i).key()).isEqualTo(originals.get(i).key());
      assertThat(ByteBuffer.wrap(value, 5, value.length - 5))
          .isEqualTo(ByteBuffer.wrap(originals.get(i).value(), 10, value.length - 5));
      assertThat(value[0]).isZero();
      Schema schema = schemas.apply(ByteBuffer.wrap(value).getInt(1));
      records.add(new GenericDatumReader<GenericRecord>(schema)
          .read(null, DecoderFactory.get().binaryDecoder(value, 5, value.length - 5, null)));
    }
    return records;
  }
}

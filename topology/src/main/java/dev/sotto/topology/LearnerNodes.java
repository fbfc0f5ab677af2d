package dev.sotto.topology;

import dev.sotto.topology.client.WatchedProcessor;
import dev.sotto.topology.layout.Subtopology;
import dev.sotto.topology.processor.CopyProcessor;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/** Adds a learner's parts to a topology of Kafka Streams, node by node. */
final class LearnerNodes {
  private static final ByteArrayDeserializer BYTES = new ByteArrayDeserializer();
  private static final ByteArraySerializer TO_BYTES = new ByteArraySerializer();

  private LearnerNodes() {}

  static void add(Topology topology, List<Subtopology> parts, String app, TaskWatch watch) {
    for (Subtopology part : parts) {
      for (Subtopology.Input input : part.inputs()) {
        topology.addSource(
            AutoOffsetReset.none(), input.name(), input.times(), BYTES, BYTES, input.topic());
      }
      String[] parents = part.inputs().stream().map(Subtopology.Input::name).toArray(String[]::new);
      topology.addProcessor(
          part.name(),
          () -> new WatchedProcessor(part.processor().get(), watch.status().threads()),
          parents);
      part.stores().forEach(store -> topology.addStateStore(store, part.name()));
      for (Subtopology.Output output : part.outputs()) {
        Optional<RegistryCopies> copies =
            watch.copies().filter(each -> isCopied(each, output, app));
        if (copies.isPresent()) {
          addCopied(topology, output, part.name(), copies.get());
        } else {
          addSink(topology, output, part.name());
        }
      }
    }
  }

  private static boolean isCopied(RegistryCopies copies, Subtopology.Output output, String app) {
    return output.topic().equals(Names.ledger(app)) && copies.has(RegistryCopies.Kind.LEDGER)
        || output.topic().equals(Names.snapshots(app)) && copies.has(RegistryCopies.Kind.SNAPSHOTS);
  }

  /** The node that its parent forwards to hands the record to two sinks, in one transaction. */
  private static void addCopied(
      Topology topology, Subtopology.Output output, String parent, RegistryCopies copies) {
    String name = output.name();
    String topic = output.topic();
    String itself = name + Names.AS_IT_IS;
    String copy = name + Names.COPY;
    topology.addProcessor(name, () -> new CopyProcessor(copies, itself, copy), parent);
    addSink(topology, new Subtopology.Output(itself, topic, output.partitioner()), name);
    addSink(
        topology,
        new Subtopology.Output(copy, Names.registryCopy(topic), output.partitioner()),
        name);
  }

  private static void addSink(Topology topology, Subtopology.Output output, String parent) {
    if (output.partitioner() == null) {
      topology.addSink(output.name(), output.topic(), TO_BYTES, TO_BYTES, parent);
    } else {
      topology.addSink(
          output.name(), output.topic(), TO_BYTES, TO_BYTES, output.partitioner(), parent);
    }
  }
}

package dev.sotto.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Connector;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/**
 * Loads the packaged folder as a worker does: apart from everything but Connect's own interfaces.
 */
class PluginFolderIT {
  private static final Path PLUGIN = Path.of("target", "sotto-connectors-plugin");

  @Test
  void holdsAllThatAWorkerDoesNotBring() throws Exception {
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> all = Files.list(PLUGIN)) {
      for (Path jar : all.toList()) {
        assertThat(jar.getFileName().toString())
            .doesNotContain("kafka", "connect-api", "slf4j")
            .endsWith(".jar");
        jars.add(jar.toUri().toURL());
      }
    }
    for (Class<?> given : List.of(Connector.class, ConfigDef.class, Logger.class)) {
      jars.add(given.getProtectionDomain().getCodeSource().getLocation());
    }
    try (URLClassLoader alone =
        new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      for (Class<?> kind : List.of(SourceConnector.class, SinkConnector.class)) {
        Object connector = ServiceLoader.load(alone.loadClass(kind.getName()), alone)
            .findFirst()
            .orElseThrow();
        assertThat(call(connector, "version"))
            .isNotNull()
            .asString()
            .matches("\\d+\\.\\d+\\.\\d+.*");
        Object task = ((Class<?>) call(connector, "taskClass")).getConstructor().newInstance();
        assertThat(call(task, "version")).isEqualTo(call(connector, "version"));
      }
      Class<?> files = alone.loadClass("dev.sotto.serdes.snapshot.SnapshotAssembler");
      Object assembler = files.getConstructor().newInstance();
      Object newest = files.getMethod("newest").invoke(assembler);
      assertThat(newest).isEqualTo(Map.of());
      Class<?> codecs = alone.loadClass("dev.sotto.serdes.record.Codecs");
      Object codec = codecs.getField("CHUNK").get(null);
      assertThat(codec.getClass().getMethod("schema").invoke(codec))
          .as("schemas and Avro are there")
          .isNotNull();
    }
  }

  private static Object call(Object of, String method) throws ReflectiveOperationException {
    return of.getClass().getMethod(method).invoke(of);
  }
}

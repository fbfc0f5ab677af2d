package dev.sotto.connectors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * A connector's properties: read by its table, with rules that span several of them or belong to
 * the worker.
 */
public final class ConnectorSettings {
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final List<String> CONVERTERS = List.of("key.converter", "value.converter");

  private ConnectorSettings() {}

  /**
   * The values, by name.
   *
   * @throws ConnectException with name, rule and value of the first that does not fit
   */
  public static Map<String, Object> read(ConfigDef table, Map<String, String> properties) {
    try {
      return table.parse(properties);
    } catch (ConfigException wrong) {
      throw new ConnectException(wrong.getMessage(), wrong);
    }
  }

  /**
   * Faults of the converters, by name: what passes here is bytes, and no converter may make
   * something else of them. A converter that the properties do not name is the worker's, which
   * cannot be known here.
   */
  public static Map<String, String> converterFaults(Map<String, String> properties) {
    Map<String, String> faults = new LinkedHashMap<>();
    for (String name : CONVERTERS) {
      String converter = properties.get(name);
      if (converter != null
          && !converter.equals(BYTES)
          && !converter.equals("ByteArrayConverter")) {
        faults.put(
            name,
            name + " must be " + BYTES + ", since bytes travel unchanged, but was " + converter);
      }
    }
    return faults;
  }

  /** Stops a connector with the first fault, if there is one. */
  public static void refuse(Map<String, String> faults) {
    faults.values().stream().findFirst().ifPresent(fault -> {
      throw new ConnectException(fault);
    });
  }

  /** The outcome of a validation, with these faults added. */
  public static Config add(
      Config outcome, Map<String, String> properties, Map<String, String> faults) {
    List<ConfigValue> values = new ArrayList<>(outcome.configValues());
    faults.forEach((name, fault) -> {
      ConfigValue value = values.stream()
          .filter(each -> each.name().equals(name))
          .findFirst()
          .orElseGet(() -> {
            var added = new ConfigValue(name, properties.get(name), List.of(), new ArrayList<>());
            values.add(added);
            return added;
          });
      value.addErrorMessage(fault);
    });
    return new Config(values);
  }
}

/**
 * Copyright 2022 Google LLC
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

// This file was automatically generated from a template in ./autogen/main

# Setup dynamic default values for variables which can't be setup using
# the standard terraform "variable default" functionality

locals {
  node_pools_labels = merge(
    { all = {} },
    { default-node-pool = {} },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : {}]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : {}]
    ),
    var.node_pools_labels
  )

  node_pools_resource_labels = merge(
    { all = {} },
    { default-node-pool = {} },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : {}]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : {}]
    ),
    var.node_pools_resource_labels
  )

  node_pools_resource_manager_tags = merge(
    { all = {} },
    { default-node-pool = {} },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : {}]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : {}]
    ),
    var.node_pools_resource_manager_tags
  )

  node_pools_metadata = merge(
    { all = {} },
    { default-node-pool = {} },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : {}]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : {}]
    ),
    var.node_pools_metadata
  )

  node_pools_taints = merge(
    { all = [] },
    { default-node-pool = [] },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : []]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : []]
    ),
    var.node_pools_taints
  )

  node_pools_tags = merge(
    { all = [] },
    { default-node-pool = [] },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : []]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : []]
    ),
    var.node_pools_tags
  )

  node_pools_oauth_scopes = merge(
    { all = ["https://www.googleapis.com/auth/cloud-platform"] },
    { default-node-pool = [] },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : []]
    ),
    zipmap(
      [for node_pool in var.windows_node_pools : node_pool["name"]],
      [for node_pool in var.windows_node_pools : []]
    ),
    var.node_pools_oauth_scopes
  )

  node_pools_linux_node_configs_sysctls = merge(
    { all = {} },
    { default-node-pool = {} },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : {}]
    ),
    var.node_pools_linux_node_configs_sysctls
  )

  node_pools_cgroup_mode = merge(
    { all = "" },
    { default-node-pool = "" },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : ""]
    ),
    var.node_pools_cgroup_mode
  )

  node_pools_transparent_hugepage_enabled = merge(
    { all = "" },
    { default-node-pool = "" },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : ""]
    ),
    var.node_pools_transparent_hugepage_enabled
  )

  node_pools_transparent_hugepage_defrag = merge(
    { all = "" },
    { default-node-pool = "" },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : ""]
    ),
    var.node_pools_transparent_hugepage_defrag
  )

  node_pools_hugepage_size_2m = merge(
    { all = "" },
    { default-node-pool = "" },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : ""]
    ),
    var.node_pools_hugepage_size_2m
  )

  node_pools_hugepage_size_1g = merge(
    { all = "" },
    { default-node-pool = "" },
    zipmap(
      [for node_pool in var.node_pools : node_pool["name"]],
      [for node_pool in var.node_pools : ""]
    ),
    var.node_pools_hugepage_size_1g
  )
}
